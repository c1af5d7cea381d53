"""Source lines: the innermost line of the program, outside the framework and this package."""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_outside = [_HERE]  # folders whose frames are no lines of the user's
_shown = {}


def leave_out(module):
    """Frames of this package of the framework are not the user's."""
    folder = os.path.dirname(os.path.abspath(module.__file__)) + os.sep
    if folder not in _outside:
        _outside.append(folder)


def _name_of(path):
    if path not in _shown:
        theirs = path.startswith("<") or path.startswith(tuple(_outside)) or os.sep + "importlib" + os.sep in path
        relative = os.path.relpath(path) if not theirs else ""
        _shown[path] = "" if theirs else os.path.basename(path) if relative.startswith("..") else relative
    return _shown[path]


def site():
    """"train.py:28 main"; "" where no line of the user's is on the stack."""
    frame = sys._getframe(1)
    while frame is not None:
        name = _name_of(frame.f_code.co_filename)
        if name:
            return f"{name}:{frame.f_lineno} {frame.f_code.co_name}"
        frame = frame.f_back
    return ""
