"""record(): what each update learns from: the arguments of the forward pass, or what the program gives to batch()."""
import torch as _torch

from . import _torch_values as _values
from ._torch_modes import without_modes as _without_modes
from ._torch_modules import in_backward as _in_backward


class Batches:
    """A part of record."""

    def _before_forward(self, module, inputs, named=None):
        """A training that calls neither update() nor batch(): the next forward pass of the network begins the next update. Without
        gradients it is an evaluation, which is no part of the training. Of a compiled module the wrapper is seen, and in the graph
        this hook does nothing."""
        if _torch.compiler.is_compiling() or self._model is None:
            return
        if self._running is not None or (module is not self._model and getattr(module, "_orig_mod", None) is not self._model):
            return
        self._running = module if module is not self._model else None
        is_again = _in_backward() and self._batch  # activation checkpointing
        if self._is_mine() and _torch.is_grad_enabled() and not is_again:
            self._guard(self._forward_begins, inputs, _values.keyword_arguments() if named is None else named)

    def _around_compiled(self, call):
        """After model.compile() the hooks of the model are in its graph, and do nothing. The handle undoes it."""
        model = self._model

        def run(*inputs, **named):
            self._before_forward(model, inputs, named)
            self._running = model
            try:
                return call(*inputs, **named)
            finally:
                self._running = None

        class Handle:
            def remove(self):
                model._compiled_call_impl = call
        model._compiled_call_impl = run
        return Handle()

    def _after_forward(self, module, inputs, output):
        if not _torch.compiler.is_compiling() and module is self._running:
            self._running = None

    def _forward_begins(self, inputs, named):
        self._end_alone()
        self._sees_forward = True
        if not self._gives_batches:
            with _without_modes():
                if not self._take_batch(inputs, named)[1]:
                    self._say_once("batch", "the network was given no tensor: say with run.batch(...) what it learns from", False)

    def batch(self, *tensors, **named):
        """Before the forward pass: what is learned from: tensors, arrays, numbers, and lists, dictionaries and data classes of them.
        Without it the arguments of the network are taken."""
        if self._is_running_here("batch"):
            self._guard(self._end_alone)
            with _without_modes():
                self._guard(self._given_batch, tensors, named)

    def _given_batch(self, tensors, named):
        if not self._gives_batches:
            self._gives_batches, self._batch = True, []
        unknown, has_numbers = self._take_batch(tensors, named)
        if unknown:
            self._say_once("batch", f"batch{unknown[0][0]} is of type {unknown[0][1]}, and is not recorded")
        elif not has_numbers:
            self._say_once("batch", "batch() was given no tensor and no array")

    def _take_batch(self, positional, named):
        """What cannot be recorded, and whether there is a tensor or an array."""
        unknown = []
        arguments = _values.Argument.of(positional, named, unknown)
        n_before = sum(len(argument.items) for argument in self._batch)
        found = [item for argument in arguments for _, item in argument.items]
        names = _values.batch_names([*self._batch, *arguments])[n_before:]
        tensors = [(name, x) for name, x in zip(names, found) if isinstance(x, _torch.Tensor)]
        for name, tensor in tensors:
            self._name_batch(tensor, name)
        if self._tracer is not None and tensors:
            self._tracer.mark("batch", tensors)
        is_due = self._is_due()
        for argument in arguments:
            argument.items = [(path, _values.hashed_with_forms(x) if is_due else None) for path, x in argument.items]
        self._batch += arguments
        return unknown, any(map(_values.has_numbers, found))

    def _name_batch(self, tensor, name):
        if tensor.layout is _torch.strided:
            self._addresses[tensor.data_ptr()] = name
        if self._tracer is not None:
            self._tracer.name(tensor, name)
