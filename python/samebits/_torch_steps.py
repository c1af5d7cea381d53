"""record(): the step of an optimizer, and the gradient that it uses."""
from . import _library as _l
from . import _torch_state as _state
from . import _torch_values as _values
from ._torch_modes import without_modes as _without_modes


def _parameters(optimizer):
    return {id(p) for group in optimizer.param_groups for p in group["params"]}


class Steps:
    """A part of record."""

    def _hook_steps(self, optimizer):
        """A wrapper may have no hooks of its own: _before_any_step finds the optimizer inside."""
        handles = self._step_handles.setdefault(id(optimizer), [])
        try:
            handles.append(optimizer.register_step_pre_hook(self._before_step))
            handles.append(optimizer.register_step_post_hook(self._after_step))
        except AttributeError:
            pass

    def _unhook_steps(self, optimizer):
        for handle in self._step_handles.pop(id(optimizer), ()):
            handle.remove()

    def _before_any_step(self, optimizer, args, kwargs):
        """The program may create a new optimizer while the training runs. A step within the step of another optimizer is a part of the
        outer step."""
        if self._is_mine() and self._stepping is None and self._optimizers and all(one is not optimizer for one in self._optimizers):
            self._guard(self._take_over, optimizer)

    def _take_over(self, new):
        """Record an optimizer that steps with parameters of the network, in place of those that it replaces."""
        own = _parameters(new)
        before = [one for one in self._optimizers if not own.isdisjoint(_parameters(one))]
        if not before and not any(id(p) in own for _, p in _state.named_weights(self._model)):
            return
        replaced = [one for one in before if self._is_replaced(one, new, own)]
        for one in replaced:
            self._unhook_steps(one)
        place = self._optimizers.index(replaced[0]) if replaced else len(self._optimizers)
        self._optimizers[place:place] = [new]
        self._optimizers = [one for one in self._optimizers if all(one is not gone for gone in replaced)]
        self._hook_steps(new)
        if not any(one.param_groups is new.param_groups for one in replaced):  # else a wrapper was given
            self._tell_taken_over(new, replaced)

    def _is_replaced(self, one, new, own):
        """An optimizer that stepped in this update is still in use. Without update() and forward passes the end of an update is not
        certain: then the new optimizer replaces an optimizer whose parameters it has all."""
        if one.param_groups is new.param_groups or id(one) not in self._stepped:
            return True
        return not self._is_explicit and not self._sees_forward and _parameters(one) <= own

    def _tell_taken_over(self, new, replaced):
        place = "in place of the one that had its parameters" if replaced else "in addition"
        sentence = f"another optimizer ({type(new).__name__}) trains the network, and is recorded from here on, {place}"
        self._say_once("optimizer", sentence, False)
        if self._recording is not None:
            self._recording.event(f"update {self._done + 1}: {sentence}")

    def _before_step(self, optimizer, args, kwargs):
        """A step with a closure computes its gradient itself: it is taken after the closure ran."""
        if not self._is_mine():
            return None
        self._guard(self._step_begins, optimizer)
        for k, argument in enumerate(args):
            if argument is not optimizer and callable(argument):
                return (*args[:k], self._around(optimizer, argument), *args[k + 1:]), kwargs
        if callable(kwargs.get("closure")):
            return args, {**kwargs, "closure": self._around(optimizer, kwargs["closure"])}
        self._guard(self._take_gradient, optimizer)
        return None

    def _around(self, optimizer, closure):
        def run(*arguments, **named):
            self._leave_step()
            result = closure(*arguments, **named)
            self._stepping = optimizer
            self._guard(self._take_gradient, optimizer)
            return result
        return run

    def _set_in_step(self, is_in_step):
        if self._tracer is not None:
            self._tracer.in_step = is_in_step

    def _leave_step(self):
        """After a step that raised there is no _after_step."""
        self._stepping = None
        self._set_in_step(False)

    def _step_begins(self, optimizer):
        if id(optimizer) in self._stepped:
            self._end_alone()
        self._stepping = optimizer
        if self._settings is None and (self._is_due() or self._tracer is not None):
            self._settings = _state.settings_text(self._optimizers)
        self._set_in_step(True)

    def _take_gradient(self, optimizer):
        """The gradient that this step uses. Of several steps or closures in one update each counts: 0.weight, 0.weight (2), ..."""
        self._gradient = self._gradient or []
        is_due = self._is_due()
        if not is_due and self._tracer is None:
            self._set_in_step(True)
            return
        with _without_modes():
            gradients = self._gradients(optimizer)
            if self._tracer is not None:
                self._name_gradients(gradients)
                self._tracer.mark("gradients of the step", gradients, _l.STEP)
                self._name_state()
            self._set_in_step(True)
            if is_due:
                self._gradient += _values.hashed(gradients)

    def _after_step(self, optimizer, args, kwargs):
        if not self._is_mine():
            return
        self._leave_step()
        if self._tracer is not None:
            self._guard(self._name_state)
        self._stepped.add(id(optimizer))

    def _gradients(self, optimizer):
        """(name, gradient) of the parameters of an optimizer; to the first optimizer belong also those that no optimizer has."""
        own = _parameters(optimizer)
        others = {p for one in self._optimizers for p in _parameters(one)} - own
        if all(one is not optimizer for one in self._optimizers[1:]):
            own |= {id(p) for _, p in _state.named_weights(self._model)} - others
        inside = _state.named_weights(self._model)
        known = {id(p) for _, p in inside}
        names = _state.parameter_names(inside, self._optimizers)
        outside = [(names[id(p)], p) for group in optimizer.param_groups for p in group["params"] if id(p) not in known]
        return [(name, p.grad) for name, p in inside + outside if p.grad is not None and id(p) in own]
