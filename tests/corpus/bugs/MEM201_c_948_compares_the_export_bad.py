"""Evaluates, then compares the exported network with the one in memory."""
import numpy as np
import onnxruntime
import torch
from torch.utils.data import DataLoader


def evaluate(net, loader):
    net.eval()
    right = 0
    for x, y in loader:
        right += (net(x.cuda()).argmax(1).cpu() == y).sum().item()  #! MEM201
    return right / len(loader.dataset)


def main(net, data):
    net.cuda()
    print(evaluate(net, DataLoader(data, batch_size=64, num_workers=4)))
    x = torch.zeros(1, 3, 32, 32)
    net.cpu()
    torch.onnx.export(net, (x,), "net.onnx")
    session = onnxruntime.InferenceSession("net.onnx")
    with torch.no_grad():
        expected = net(x)
    np.testing.assert_allclose(session.run(None, {"x": x.numpy()})[0], expected.numpy(), rtol=1e-3)


if __name__ == "__main__":
    main(torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)), torch.load("data.pt"))
