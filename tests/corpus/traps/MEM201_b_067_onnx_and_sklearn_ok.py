import numpy as np
import onnxruntime as ort
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss


def validate(path, loader):
    model = ort.InferenceSession(path)
    total_loss, preds = 0, []
    for x, y in loader:
        out = model.run(None, {"input": x.numpy()})[0]
        loss = log_loss(y.numpy(), out, labels=range(out.shape[1]))
        total_loss += loss
        preds.append(out)
    return total_loss / len(loader), np.concatenate(preds)


def linear_eval(feats, labels):
    model = LogisticRegression(max_iter=500)
    model.fit(feats, labels)
    return model.score(feats, labels)
