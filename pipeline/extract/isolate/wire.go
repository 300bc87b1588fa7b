package isolate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

const (
	statusText byte = iota
	statusError
	statusPanic
)

// maxField bounds one field of a message: far above any page the worker keeps.
const maxField = 256 << 20

func writeRequest(w io.Writer, name, url string, src []byte) error {
	head := make([]byte, 0, 12+len(name)+len(url))
	head = appendField(head, name)
	head = appendField(head, url)
	head = binary.BigEndian.AppendUint32(head, uint32(len(src)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(src)
	return err
}

func appendField(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}

func readRequest(r *bufio.Reader) (name, url string, src []byte, err error) {
	var fields [3][]byte
	for i := range fields {
		if fields[i], err = readField(r); err != nil {
			if i > 0 && err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return "", "", nil, err
		}
	}
	return string(fields[0]), string(fields[1]), fields[2], nil
}

// answer is what the child writes.
type answer struct {
	status byte
	shared time.Duration // see driver.Answer
	text   string
}

func writeAnswer(w *bufio.Writer, a answer) error {
	head := binary.BigEndian.AppendUint64([]byte{a.status}, uint64(a.shared))
	head = binary.BigEndian.AppendUint32(head, uint32(len(a.text)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.WriteString(a.text)
	return err
}

func readAnswer(r *bufio.Reader) (a answer, err error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return a, err
	}
	a.status, a.shared = head[0], time.Duration(binary.BigEndian.Uint64(head[1:]))
	text, err := readField(r)
	a.text = string(text)
	return a, err
}

func readField(r *bufio.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxField {
		return nil, fmt.Errorf("isolate: field of %d bytes is over the limit of %d", n, maxField)
	}
	field := make([]byte, n)
	_, err := io.ReadFull(r, field)
	return field, err
}
