"""record(): what fails, what is said, and who may record. The training of the user never stops for the recorder."""
import os

from . import _library as _l
from . import _site
from ._library import Error
from ._say import say as _say


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
        sentence = str(error) if isinstance(error, (Error, OSError)) else f"{type(error).__name__}: {error}"
        self.findings.append((self._done + 1, "recording ended", sentence))
        _say(f"recording ends, and the training goes on: {sentence}")
        if recording is not None:
            try:
                recording.report(self._done + 1, "recording ended", sentence=sentence)
                recording.incomplete(sentence)
                recording.close(False)
            except Error:
                pass

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
