from .meters import MetricTracker
