import cv2
import numpy as np
import onnxruntime as ort
import torch


def predict(model_path, paths, size=640):
    session = ort.InferenceSession(model_path, providers=["CUDAExecutionProvider"])
    name = session.get_inputs()[0].name
    outputs = []
    for p in paths:
        img = cv2.resize(cv2.imread(p), (size, size)).transpose(2, 0, 1)[None].astype(np.float32) / 255
        pred = session.run(None, {name: img})[0]
        outputs.append(torch.from_numpy(pred))
    return torch.cat(outputs)


def evaluate(model_path, loader):
    sess = ort.InferenceSession(model_path)
    correct = total = 0
    loss_sum = 0
    for x, y in loader:
        logits = sess.run(None, {"input": x.numpy()})[0]
        loss = -np.log(np.exp(logits)[np.arange(len(y)), y.numpy()]).mean()
        loss_sum += loss
        correct += (logits.argmax(1) == y.numpy()).sum()
        total += len(y)
    return correct / total, loss_sum
