# a hook looks at losses whose graph the trainer made, before its own backward

import torch
from hooks import Hook
from outputs import tensors_of


class CheckLosses(Hook):
    def __init__(self, *, bindings=None):
        super().__init__(bindings=bindings)
        self.checked = set()

    def check_step(self, context):
        self.check(context, [("", context.scores)], {})

    def check_generator_step(self, context):
        self.check(context, [("G", context.generator_scores)], context.extra_losses, "G")

    def check(self, context, groups, extras, prefix=""):
        todo = []
        for group, scores in groups:
            for name, entry in scores.metrics.items():
                key = (group, name)
                if key not in self.checked and entry.weight:
                    todo.append((key, name, entry.total_batch(weighted=True)))
        for name, value in (extras or {}).items():
            key = (prefix, name)
            if key not in self.checked and isinstance(value, torch.Tensor):
                todo.append((key, name, value))
        outputs, flat = tensors_of(context.entry), []
        for key, label, value in todo:
            self.checked.add(key)
            if value.requires_grad and outputs and self.is_flat(value, outputs):
                flat.append(label)
        if flat:
            print(flat)

    @staticmethod
    def is_flat(value: torch.Tensor, outputs: list) -> bool:
        grads = torch.autograd.grad(value.float().sum() * 65536.0, outputs, retain_graph=True, allow_unused=True)
        used = [g for g in grads if g is not None]
        return all(not bool((g != 0).any()) for g in used)
