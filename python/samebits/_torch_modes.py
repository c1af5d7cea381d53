"""Our own operations are no part of the training: they run without its dispatch modes."""
import contextlib
import sys

import torch
from torch.utils import _python_dispatch

_before_dispatch = getattr(torch._ops, "_len_torch_dispatch_stack_pre_dispatch", lambda: 0)  # PyTorch 2.1 has none
_transforms = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", lambda: None)
_NOTHING = contextlib.nullcontext()


def without_modes():
    """A context. Where no mode and no transform of torch.func is active there is nothing to disable, and nothing is done: it is
    entered for each saved tensor."""
    has_modes = torch._C._len_torch_dispatch_stack() != 0 or _before_dispatch() != 0
    if _transforms() is not None:
        return _without_transforms(has_modes)
    return _python_dispatch._disable_current_modes() if has_modes else _NOTHING


@contextlib.contextmanager
def _without_transforms(has_modes):
    with torch._C._DisableFuncTorch(), _python_dispatch._disable_current_modes() if has_modes else _NOTHING:
        yield


def not_compiled(function):
    """The function, which torch.compile leaves alone: where a graph breaks it would try to compile ours too."""
    return torch.compiler.disable(function) if "torch._dynamo" in sys.modules else function
