# Made-up pictures go through both networks once, to see that they give the same.

import numpy as np
import onnxruntime
import torch


def test_export(path, load):
    net = load(path)
    net.eval()
    picture = torch.randn(1, 3, 224, 224)
    ours = net(picture).detach().cpu().numpy()
    session = onnxruntime.InferenceSession(path)
    theirs = session.run(None, {session.get_inputs()[0].name: picture.numpy()})[0]
    print("largest difference", np.abs(ours - theirs).max())


def evaluate_trace(net: torch.nn.Module):
    net.eval()
    sample = torch.zeros(4, 16)
    traced = torch.jit.trace(net, sample)
    print("difference", (net(sample) - traced(sample)).abs().max().item())
