package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/service"
)

const (
	// answerTime bounds one request.
	answerTime = 5 * time.Minute
	// maxAnswer bounds the answer to one request, which has some 300 bytes for each action.
	maxAnswer = 256 << 20
	// longestWait bounds the time for which an engine can ask.
	longestWait = 5 * time.Minute
)

// server sends batches to an engine.
type server struct {
	options *Options
	user    *url.Userinfo // nil without
	bulk    string        // URL of the bulk requests
	shown   string        // URL of the engine, without a user
	client  *http.Client
}

func newServer(o *Options) (*server, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("push: %q: want the URL of a search engine, such as http://localhost:9200", o.URL)
	}
	user := u.User
	u.User = nil
	client := &http.Client{Timeout: answerTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &server{o, user, u.JoinPath("_bulk").String(), u.String(), client}, nil
}

// busyError means that the engine may accept the same later.
type busyError struct {
	error
	wait time.Duration // time that the engine asked for
}

// errTooLarge means that the batch must be divided.
var errTooLarge = errors.New("the engine refuses a request of this size (413)")

// send sends a batch until every action of it is answered for good, and counts the answers
// in state.
func (s *server) send(ctx context.Context, batch [][]byte, state *State) error {
	policy := s.options.Retry
	policy.Temporary = func(err error) (time.Duration, bool) {
		var busy *busyError
		if !errors.As(err, &busy) {
			return 0, false
		}
		return busy.wait, true
	}
	attempts := policy.Begin()
	for {
		rest, err := s.try(ctx, batch, state)
		if errors.Is(err, errTooLarge) {
			if len(batch) == 1 {
				s.reject(state, actionID(batch[0]), fmt.Sprintf("the engine refuses a request of %d bytes (413): leave out fields, or raise its bound (http.max_content_length)", len(batch[0])))
				return nil
			}
			half := len(batch) / 2
			if err := s.send(ctx, batch[:half], state); err != nil {
				return err
			}
			return s.send(ctx, batch[half:], state)
		}
		if err == nil {
			return nil
		}
		if len(rest) < len(batch) {
			attempts.Progress()
		}
		batch = rest
		if err := attempts.Wait(ctx, err); err != nil {
			return err
		}
	}
}

// try sends a batch once. It returns the actions that are not answered for good, and an
// error if there are any.
func (s *server) try(ctx context.Context, batch [][]byte, state *State) (rest [][]byte, err error) {
	body := bytes.Join(batch, nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.bulk, bytes.NewReader(body))
	if err != nil {
		return batch, err
	}
	request.Header.Set("Content-Type", "application/x-ndjson")
	request.Header.Set("User-Agent", "Winnow/"+service.Version())
	request.URL.User = s.user // the client makes the field Authorization of it
	for name, value := range s.options.Headers {
		request.Header.Set(name, value)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return batch, &busyError{err, 0}
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return batch, &busyError{err, 0}
	}
	if err := refusal(answer, data); err != nil {
		return batch, err
	}
	var said struct {
		Items []map[string]item `json:"items"`
	}
	if err := json.Unmarshal(data, &said); err != nil || len(said.Items) != len(batch) {
		return batch, fmt.Errorf("it answers %d of %d actions: is this the URL of Elasticsearch, OpenSearch or a server with their bulk protocol? It said %.200q", len(said.Items), len(batch), data)
	}
	for i, named := range said.Items {
		for action, it := range named {
			switch {
			case it.Status == http.StatusTooManyRequests || it.Status >= 500:
				rest = append(rest, batch[i])
				err = &busyError{fmt.Errorf("the engine is busy: status %d: %s", it.Status, it.reason()), 0}
			case action == "delete" && it.Status == http.StatusNotFound: // it was not in the index
			case it.Status < 200 || it.Status >= 300:
				s.reject(state, it.ID, fmt.Sprintf("status %d: %s", it.Status, it.reason()))
			case action == "delete":
				state.Deleted++
			default:
				state.Indexed++
			}
		}
	}
	return rest, err
}

// refusal returns the error of an answer to a whole request, nil if there is none.
func refusal(answer *http.Response, data []byte) error {
	status := answer.StatusCode
	said := fmt.Sprintf("status %s: %.500s", answer.Status, bytes.TrimSpace(data))
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusRequestEntityTooLarge:
		return errTooLarge
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		var wait time.Duration
		if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
			wait = min(time.Duration(seconds)*time.Second, longestWait)
		}
		return &busyError{errors.New(said), wait}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("it refuses the credentials: give USER:PASSWORD@ in the URL, or --header 'Authorization: ...': %s", said)
	case status >= 300 && status < 400:
		return fmt.Errorf("it redirects to %.200q: give that URL", answer.Header.Get("Location"))
	}
	return errors.New(said)
}

func (s *server) reject(state *State, id, reason string) {
	state.Rejected++
	s.options.Rejected(id, reason)
}

// item is the answer to one action.
type item struct {
	ID     string          `json:"_id"`
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error"`
}

// reason returns the engine's message for an error.
func (i *item) reason() string {
	var e struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
		Cause  struct {
			Reason string `json:"reason"`
		} `json:"caused_by"`
	}
	if json.Unmarshal(i.Error, &e) != nil || e.Reason == "" {
		return fmt.Sprintf("%.500s", i.Error)
	}
	said := slices.DeleteFunc([]string{e.Type, e.Reason, e.Cause.Reason}, func(s string) bool { return s == "" })
	return fmt.Sprintf("%.500s", strings.Join(said, ": "))
}

// actionID returns the id that an action names.
func actionID(lines []byte) string {
	first, _, _ := bytes.Cut(lines, []byte("\n"))
	var named map[string]item
	if err := json.Unmarshal(first, &named); err != nil {
		return string(first)
	}
	for _, it := range named {
		return it.ID
	}
	return ""
}
