package service

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
)

// Logger writes lines for people on a terminal and JSON everywhere else.
// format "text" or "json" decides instead of the terminal; "" and "auto" do
// not. Level is one of slog's: "debug", "info", "warn", "error".
func Logger(w io.Writer, format, level string) (*slog.Logger, error) {
	var opt slog.HandlerOptions
	if level != "" {
		var l slog.Level
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return nil, Usagef("log level %q: one of debug, info, warn, error", level)
		}
		opt.Level = l
	}
	switch {
	case format == "text", (format == "" || format == "auto") && Terminal(w):
		return slog.New(slog.NewTextHandler(w, &opt)), nil
	case format == "json", format == "", format == "auto":
		return slog.New(slog.NewJSONHandler(w, &opt)), nil
	}
	return nil, Usagef("log format %q: one of auto, text, json", format)
}

// Bytes formats a size for people: "64 MiB", "1.5 GiB".
func Bytes(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v, i := float64(n)/1024, 0
	for v >= 1023.95 && i < len(units)-1 {
		v /= 1024
		i++
	}
	return fmt.Sprintf("%s %ciB", strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"), units[i])
}

// ParseBytes reads what Bytes writes, and sizes such as "64MiB", "64M", "64MB"
// and "65536"; all units are powers of 1024.
func ParseBytes(s string) (int64, error) {
	var v float64
	var unit string
	if n, _ := fmt.Sscanf(s, "%g%s", &v, &unit); n == 0 { // the unit may be missing
		return 0, fmt.Errorf("size %q: a number with an optional unit such as MiB", s)
	}
	shift := 0
	switch unit {
	case "", "B", "b":
	case "K", "k", "KB", "kB", "KiB", "kib":
		shift = 10
	case "M", "m", "MB", "MiB", "mib":
		shift = 20
	case "G", "g", "GB", "GiB", "gib":
		shift = 30
	case "T", "t", "TB", "TiB", "tib":
		shift = 40
	default:
		return 0, fmt.Errorf("size %q: unknown unit %q", s, unit)
	}
	v *= float64(int64(1) << shift)
	if !(v >= 0 && v < 1<<62) {
		return 0, fmt.Errorf("size %q: out of range", s)
	}
	return int64(v), nil
}
