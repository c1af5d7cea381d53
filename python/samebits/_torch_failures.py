"""record(): what fails, what is said, and who may record. The training of the user never stops for the recorder."""
import contextlib
import os

from . import _library as _l
from . import _site
from ._library import Error
from ._say import say as _say


def text_of(error):
    """The text of an exception; "" if the exception of the program cannot give one."""
    try:
        return str(error)
    except Exception:
        return ""


class Failures:
    """A part of record."""

    def _guard(self, function, *arguments):
        """The training of the user never stops for the recorder: a failure is said once. Before the training begins, what the user can
        mend is raised."""
        if self._has_given_up:
            return None
        try:
            return function(*arguments)
        except Exception as error:  # whatever it is: the training is worth more than its recording
            is_users = not isinstance(error, (OSError, MemoryError)) and getattr(error, "status", _l.USAGE) == _l.USAGE
            if self._strict or (self._is_opening and is_users):
                raise
            self._give_up(error)
        return None

    def _give_up(self, error):
        recording, self._recording, self._has_given_up = self._recording, None, True
        sentence = text_of(error) if isinstance(error, (Error, OSError)) else f"{type(error).__name__}: {text_of(error)}"
        self.findings.append((self._done + 1, "recording ended", sentence))
        _say(f"recording ends, and the training goes on: {sentence}")
        if recording is not None:
            for end in (lambda: recording.report(self._done + 1, "recording ended", sentence=sentence),
                        lambda: recording.incomplete(sentence), lambda: recording.close(False)):
                with contextlib.suppress(Exception):
                    end()

    def _abandon(self, error):
        """Nothing is left at the path of a new recording that did not begin. A recording that was there is closed."""
        recording, self._recording = self._recording, None
        if recording is None:
            return
        with contextlib.suppress(Exception):
            recording.incomplete(f"it could not be continued: {type(error).__name__}: {text_of(error)}")
        with contextlib.suppress(Exception):
            recording.close(False)
        for path in () if self._resume else (recording.path, recording.path + ".journal"):
            with contextlib.suppress(OSError):
                os.remove(path)

    def _close(self, error):
        """error: why the recording is not complete; None: it is complete."""
        try:
            if self._recording is not None and error is not None:
                text = text_of(error)
                self._guard(self._recording.incomplete, f"the training ended with {type(error).__name__}" + (f": {text}" if text else ""))
        finally:
            recording, self._recording = self._recording, None
            if recording is not None:
                self._guard(recording.close, error is None)

    def _say_once(self, kind, sentence, is_finding=True):
        """What is not recorded, and why: one line, and a finding."""
        if kind in self._said:
            return
        self._said.add(kind)
        _say(f"update {self._done + 1}: {sentence}")
        if is_finding:
            self._tell("not recorded", "", _site.site(), "", "", sentence)

    def _tell(self, kind, operation, site, tensor, module, sentence):
        update = self._done + 1
        self.findings.append((update, kind, sentence))
        if self._recording is not None:
            self._guard(self._recording.report, update, kind, operation, site, tensor, module, sentence)

    def _is_mine(self):
        """A process that was forked, such as a worker of a data loader, does not record."""
        return self._handles != [] and os.getpid() == self._pid

    def _is_running_here(self, call):
        """May the program call update() and batch() now?"""
        if self._is_mine():
            return True
        if not self._handles and call not in self._said:
            self._said.add(call)
            self._is_entered = True  # it is said once
            _say(f"{call}() is called outside of 'with record(...) as run', and nothing is recorded")
        return False
