package request

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/service"
)

// Value is the value of a flag that checks what it is given.
type Value struct {
	Words []string // words that it takes; nil if it takes others

	flag, text string
	set        func(text string) error
}

func register(f *pflag.FlagSet, flag, initial, usage string, set func(text string) error) {
	if err := set(initial); err != nil {
		panic("winnow: --" + flag + ": " + err.Error()) // impossible: tests register all flags
	}
	f.Var(&Value{flag: flag, text: initial, set: set}, flag, usage)
}

// RegisterChoice adds a flag that takes one of a few words. Its initial value may be another.
func RegisterChoice(f *pflag.FlagSet, to *string, flag, initial, usage string, words ...string) {
	*to = initial
	f.Var(&Value{Words: words, flag: flag, text: initial, set: func(word string) error {
		if !slices.Contains(words, word) {
			return fmt.Errorf("want one of %s", strings.Join(words, ", "))
		}
		*to = word
		return nil
	}}, flag, usage)
}

// RegisterSize adds a flag of a positive number of bytes.
func RegisterSize(f *pflag.FlagSet, to *int64, flag, initial, usage string) {
	register(f, flag, initial, usage, sizeTo(to, initial))
}

// RegisterTime adds a flag of a positive duration.
func RegisterTime(f *pflag.FlagSet, to *time.Duration, flag string, initial time.Duration, usage string) {
	register(f, flag, initial.String(), usage, timeTo(to))
}

// RegisterCount adds a flag of a number that is not negative.
func RegisterCount(f *pflag.FlagSet, to *int, flag string, initial int, usage string) {
	register(f, flag, strconv.Itoa(initial), usage, func(text string) (err error) {
		if *to, err = strconv.Atoi(text); err != nil {
			return errors.New("want a whole number")
		}
		if *to < 0 {
			return errors.New("must not be negative")
		}
		return nil
	})
}

// Set implements pflag.Value.
func (v *Value) Set(text string) error {
	if err := v.set(text); err != nil {
		return service.Usagef("--%s %q: %w", v.flag, text, err)
	}
	v.text = text
	return nil
}

// String implements pflag.Value.
func (v *Value) String() string { return v.text }

// Type implements pflag.Value.
func (v *Value) Type() string { return "value" }

func sizeTo(to *int64, initial string) func(string) error {
	return func(text string) (err error) {
		if *to, err = service.ParseBytes(text); err != nil || *to <= 0 {
			err = fmt.Errorf("want a size such as %s", initial)
		}
		return err
	}
}

func numberTo(to *int64) func(string) error {
	return func(text string) (err error) {
		if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to <= 0 {
			err = fmt.Errorf("want a whole number from 1 to %d", math.MaxInt64)
		}
		return err
	}
}

func timeTo(to *time.Duration) func(string) error {
	return func(text string) (err error) {
		if *to, err = time.ParseDuration(text); err != nil || *to <= 0 {
			err = errors.New("want a positive duration, such as 30s, 5m or 1h30m")
		}
		return err
	}
}
