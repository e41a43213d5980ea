import time
from collections import defaultdict


class SmoothedValue:
    def __init__(self, window_size=20):
        self.window_size = window_size
        self.total, self.count, self.value = 0.0, 0, None

    def update(self, value, n=1):
        self.value = value
        self.count += n
        self.total += value * n

    @property
    def global_avg(self):
        return self.total / self.count


class MetricLogger:
    def __init__(self, delimiter="\t"):
        self.meters = defaultdict(SmoothedValue)
        self.delimiter = delimiter

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.meters[k].update(v)

    def add_meter(self, name, meter):
        self.meters[name] = meter

    def log_every(self, iterable, freq, header=""):
        start = time.time()
        for i, obj in enumerate(iterable):
            yield obj
            if i % freq == 0:
                print(header, i, time.time() - start, {k: float(m.global_avg) for k, m in self.meters.items()})
