"""record(): the update that is traced, from its first operation to its file."""
import torch as _torch

from . import _library as _l
from . import _torch_state as _state
from ._say import say as _say
from ._torch_entries import path_of_rank, path_with, program
from ._torch_modes import without_modes as _without_modes
from ._torch_trace import Tracer as _Tracer


class Traced:
    """A part of record."""

    def _begin_trace(self):
        if self._trace_at is None or self._tracer is not None or self._done + 1 != self._trace_at:
            return
        self._was_traced = True
        tracer = _Tracer(self._modules, self._check, self._sketch, self._kept)
        for name, p in _state.named_weights(self._model):
            tracer.name(p, name)
        for name, x in self._state_items():
            if isinstance(x, _torch.Tensor):
                tracer.name(x, name, replace=False)
        self._tracer = tracer
        self._name_state()
        tracer.mark("weights before", _state.named_weights(self._model))
        for name, p in _state.named_weights(self._model):
            if p.requires_grad and p.is_leaf:
                self._gradient_handles.append(p.register_post_accumulate_grad_hook(self._accumulated(name)))
        self._modules.on_output = self._module_ended
        tracer.start()

    def _module_ended(self, name, output):
        """A point that every backend has: the output of each module of the network."""
        values = output.values() if isinstance(output, dict) else output if isinstance(output, (list, tuple)) else [output]
        tensors = [x for x in values if isinstance(x, _torch.Tensor)]
        if self._tracer is not None and tensors:
            self._tracer.mark(f"output of {name or 'the network'}", [(f"output {k}", x) for k, x in enumerate(tensors)],
                              just_written=True)

    def _accumulated(self, name):
        def mark(parameter):
            if self._tracer is not None and parameter.grad is not None:
                with _without_modes():
                    self._tracer.name(parameter.grad, f"gradient of {name}")
                    self._tracer.mark(f"gradient of {name}", [("gradient", parameter.grad)], _l.BACKWARD)
        return mark

    def _name_gradients(self, gradients):
        for name, gradient in gradients:
            self._tracer.name(gradient, f"gradient of {name}", replace=False)

    def _name_state(self):
        for name, value in _state.named_optimizer_state(self._optimizers, _state.named_weights(self._model)):
            if isinstance(value, _torch.Tensor):
                self._tracer.name(value, name, replace=False)

    def _trace_after_update(self, loss):
        if self._tracer is None:
            return
        tracer = self._tracer
        if isinstance(loss, _torch.Tensor):
            tracer.mark("loss", [("loss", loss)], _l.FORWARD)
        elif self._number("loss", loss) is not None:
            tracer.mark_hash("loss", "loss", float(loss))
        self._name_state()
        for name, p in _state.named_weights(self._model):
            tracer.mark(f"weights after: {name}", [("weights", p)], _l.STEP)
        for name, x in _state.named_optimizer_state(self._optimizers, _state.named_weights(self._model)):
            if isinstance(x, _torch.Tensor):
                tracer.mark(f"optimizer after: {name}", [("state", x)], _l.STEP)
        for name, x in self._state_items():
            if isinstance(x, _torch.Tensor):
                tracer.mark(f"state after: {name}", [("state", x)], _l.STEP)
        self._guard(self._end_trace, True)

    def _stop_tracing(self):
        """Outside of what disables modes: they are a stack."""
        if self._tracer is not None:
            self._tracer.stop()

    def _end_trace(self, whole):
        tracer, self._tracer = self._tracer, None
        if tracer is None:
            return
        tracer.stop()
        self._modules.on_output = None
        for handle in self._gradient_handles:
            handle.remove()
        self._gradient_handles = []
        if not whole:
            return
        for kind, row, entry in tracer.findings():
            self._tell_row(tracer, kind, row, entry)
        tracer.write(self._trace_file(), self._trace_at, program(), self._settings or _state.settings_text(self._optimizers))

    def _trace_file(self):
        if self._trace_path is not None:
            return path_of_rank(self._trace_path)
        base = self._path if self._path is not None else "samebits.h5"
        return path_with(base, f"u{self._trace_at}.trace")

    def _tell_row(self, tracer, kind, row, entry):
        place = f"{row.operation}, {('forward', 'backward', 'optimizer')[row.phase]}, {row.site}"
        if kind == "uninitialised":
            tensor = entry.name or entry.store.name(entry.offset) or entry.role
            sentence = f"{place}: reads {tensor} {entry.dtype} {entry.shape}, memory that no operation had written"
        elif kind == "changed outside":
            tensor = entry.name or entry.store.name(entry.offset) or entry.role
            sentence = f"{place}: {tensor} {entry.dtype} {entry.shape} changed since the forward pass, and no operation wrote it"
        elif kind == "unstable":
            tensor = ""
            sentence = f"{place}: executed {row.executions} more times, and {row.other_results} times with other bits: unstable"
        else:
            tensor = ""
            sentence = f"{place}: errs {row.error:.0f} times as much as rounding explains: more than rounding"
        _say(f"trace: update {self._trace_at}: {kind}: {sentence}")
        self._tell(kind, row.operation, row.site, tensor, row.module, sentence)
