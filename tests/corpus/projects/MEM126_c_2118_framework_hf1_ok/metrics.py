import numpy as np


def compute_metrics(p):
    return {"acc": (np.argmax(p.predictions, -1) == p.label_ids).mean()}
