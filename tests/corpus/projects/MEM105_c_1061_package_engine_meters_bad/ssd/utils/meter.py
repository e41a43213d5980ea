from collections import defaultdict


class _Value:
    def __init__(self):
        self.history = []
        self.total = 0

    def push(self, v):
        self.history.append(v)
        self.total = self.total + v

    @property
    def mean(self):
        return self.total / max(len(self.history), 1)


class MeterGroup:
    def __init__(self):
        self.values = defaultdict(_Value)

    def update(self, **kw):
        for k, v in kw.items():
            self.values[k].push(v)

    def __str__(self):
        return "  ".join(f"{k}={float(v.mean):.4f}" for k, v in self.values.items())
