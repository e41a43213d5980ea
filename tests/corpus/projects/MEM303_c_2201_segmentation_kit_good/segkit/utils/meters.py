from collections import defaultdict


class MetricTracker:
    def __init__(self, *keys):
        self.keys = keys
        self.reset()

    def reset(self):
        self.total = defaultdict(float)
        self.counts = defaultdict(int)

    def update(self, key, value, n=1):
        self.total[key] += value * n
        self.counts[key] += n

    def avg(self, key):
        return self.total[key] / max(self.counts[key], 1)

    def result(self):
        return {k: float(self.avg(k)) for k in self.total}
