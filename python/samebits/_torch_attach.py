"""python -m samebits run: attaches to a training script that nobody edits."""
import torch

import samebits.torch as adapter

from ._say import say
from ._torch_modules import allow_hooks_of_all_modules
from ._torch_values import keyword_arguments


class Attached:
    """Waits for the first forward pass of a network that an optimizer trains, and records from there on."""

    def __init__(self, options):
        allow_hooks_of_all_modules()
        self._options, self._optimizers, self._record, self._why = options, [], None, ""
        made = torch.optim.Optimizer.__init__

        def init(optimizer, *arguments, **named):
            made(optimizer, *arguments, **named)
            self._optimizers.append(optimizer)

        torch.optim.Optimizer.__init__ = init
        self._handle = torch.nn.modules.module.register_module_forward_pre_hook(self._before_forward)

    def _before_forward(self, module, inputs):
        if torch.compiler.is_compiling() or self._record is not None or not torch.is_grad_enabled():
            return
        own = {id(p) for p in module.parameters()}
        for optimizer in self._optimizers:
            if any(id(p) in own for group in optimizer.param_groups for p in group["params"]):
                self._attach(module, optimizer, inputs, keyword_arguments())
                return

    def _attach(self, module, optimizer, inputs, named):
        self._handle.remove()
        o = self._options
        try:
            record = adapter.record(module, optimizer, o.record, resume=o.resume, every=o.every, trace=o.trace, trace_path=o.trace_path,
                                    sketch=o.sketch, kept=o.kept, watch=o.watch or o.verb == "watch", only=o.only)
            if o.nudge is not None:
                adapter.nudge(module, seed=o.nudge)
            record.__enter__()
        except (ValueError, TypeError, OSError, adapter.Error) as error:
            self._why = f"nothing is recorded, and the training goes on: {error}"
            say(self._why)
            return
        self._record = record
        record._before_forward(module, inputs, named)

    def end(self, *error):
        if self._record is not None:
            self._record.__exit__(*error)
        elif not self._why:
            say("no network was trained: no optimizer held the parameters of a module that ran")
