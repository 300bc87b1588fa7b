"""The processes that extract pages, and how they are asked.

Extraction runs in processes of the program native, which the package brings. One that ends, by
whatever a page did to it, is an exception here and not the end of the Python program; a Python
program that forks has processes of its own afterwards; and while they work no thread of Python
holds the interpreter's lock.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path

if sys.platform == "linux":
    import fcntl

    _SET_PIPE_SIZE = 1031  # fcntl.F_SETPIPE_SZ has a name since Python 3.10
PROGRAM = Path(__file__).with_name("native.exe" if sys.platform == "win32" else "native")
_LENGTH = struct.Struct("<I")
_ANSWER = struct.Struct("<BII")


class Process:
    """A running process, asked by one thread at a time."""

    def __init__(self) -> None:
        # Without buffers, so that nothing of a half-written question can be written twice
        # after a fork.
        self._process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdin and self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout
        if sys.platform == "linux":
            # A page then goes through in one piece, and the two processes do not take turns at it.
            with contextlib.suppress(OSError):  # this user's pipes hold enough already
                fcntl.fcntl(self._in, _SET_PIPE_SIZE, 1 << 20)

    def ask(self, question: bytes, page: bytes) -> tuple[int, bytes, str]:
        """Returns what the answer is, its facts and its content."""
        # In one piece, so that the process wakes up once.
        self._write(_LENGTH.pack(len(question)) + question, page)
        answer = bytearray()
        self._read(answer, _ANSWER.size)
        said, facts, content = _ANSWER.unpack_from(answer)
        facts += _ANSWER.size
        self._read(answer, facts + content)
        return said, bytes(answer[_ANSWER.size:facts]), str(memoryview(answer)[facts:], "utf-8")

    def _write(self, question: bytes, page: bytes) -> None:
        sent = os.writev(self._in.fileno(), (question, page)) if hasattr(os, "writev") else 0
        for part in question, page:
            rest = memoryview(part)[sent:]
            sent = max(0, sent - len(part))
            while rest:
                rest = rest[self._in.write(rest):]

    def _read(self, answer: bytearray, size: int) -> None:
        """Appends to an answer until it has at least size bytes. It may read beyond them, as nothing
        follows the answer; so a short answer takes one read."""
        while len(answer) < size:
            more = os.read(self._out.fileno(), max(size - len(answer), 1 << 16))
            if not more:
                raise EOFError
            answer += more

    def forget(self) -> None:
        """Closes the pipes; the process ends once no process holds them."""
        self._in.close()
        self._out.close()

    def end(self, kill: bool = False) -> int:
        """Ends the process, and returns its exit code."""
        if kill:
            self._process.kill()
        self.forget()
        return self._process.wait()

    def disown(self) -> None:
        """Closes the pipes in a child of the Python program that started the process."""
        self.forget()
        self._process.returncode = 0


class Ended(Exception):
    """A process ended before it answered."""


class Pool:
    """As many processes as threads ask at a time, and at most one for each processor."""

    def __init__(self) -> None:
        self._reset()
        atexit.register(self._end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._disown)

    def _reset(self) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._free = threading.BoundedSemaphore(cores)
        self._idle: list[Process] = []
        self._all: set[Process] = set()

    def ask(self, question: dict[str, object], page: bytes) -> tuple[int, bytes, str]:
        """Has a page extracted by a process that is not busy."""
        asked = json.dumps(question).encode()
        with self._free:
            try:
                process = self._idle.pop()
            except IndexError:
                process = Process()
                self._all.add(process)
            try:
                answer = process.ask(asked, page)
            except BaseException as e:
                # It may still be at the page: it has no use any more.
                self._all.discard(process)
                code = process.end(kill=not isinstance(e, (EOFError, BrokenPipeError)))
                if isinstance(e, (EOFError, BrokenPipeError)):
                    raise Ended(f"the extracting process ended with exit code {code}") from None
                raise
            self._idle.append(process)
            return answer

    def _end(self) -> None:
        for process in self._idle:
            process.end()

    def _disown(self) -> None:
        for process in self._all:
            process.disown()
        self._reset()


POOL = Pool()
