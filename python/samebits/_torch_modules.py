"""Which module runs: the path of the innermost one, by hooks of all modules."""
import threading
import warnings

import torch
from torch.nn.modules import module as hooks

from ._torch_values import plain_name


def allow_hooks_of_all_modules():
    """Our hooks allow for a wrapper of torch.compile, of which PyTorch warns."""
    warnings.filterwarnings("ignore", message="Using `torch.compile\\(module\\)` when there are global hooks")


class Modules:
    """names: of the modules of the user's networks; others have the name of their class in angle brackets."""

    def __init__(self, roots):
        self.name = {}
        self.on_output = None  # called with the name of each module of these networks that ends, and with its output
        self._local = threading.local()
        self._handles = []
        for prefix, root in roots.items():
            for path, module in root.named_modules():
                full = plain_name(f"{prefix}.{path}." if prefix and path else f"{prefix or path}.").rstrip(".")
                self.name.setdefault(id(module), full)

    def _stack(self):
        if not hasattr(self._local, "stack"):
            self._local.stack = []
        return self._local.stack

    def _enter(self, module, inputs):
        if torch.compiler.is_compiling():  # a hook that does nothing: the compiler leaves it out
            return
        self._stack().append(self.name.get(id(module), f"<{type(module).__name__}>"))

    def _leave(self, module, inputs, output):
        if torch.compiler.is_compiling():
            return
        if self._stack():
            self._stack().pop()
        if self.on_output is not None and id(module) in self.name:
            self.on_output(self.name[id(module)], output)

    def __enter__(self):
        allow_hooks_of_all_modules()
        self._handles = [hooks.register_module_forward_pre_hook(self._enter),
                         hooks.register_module_forward_hook(self._leave, always_call=True)]
        return self

    def __exit__(self, *error):
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def forget(self):
        """A module that ended by an exception leaves nothing."""
        self._stack().clear()

    def is_running(self):
        return bool(self._stack())

    def current(self):
        stack = self._stack()
        return stack[-1] if stack else ""


def backward_node():
    """The backward node that runs in this thread; None: none does."""
    current = getattr(torch._C, "_current_autograd_node", None)
    return current() if current else None


def in_backward():
    return torch._C._current_graph_task_id() != -1
