# Every picture of the folder goes through the network, whatever is exported beside it.

import numpy as np
import onnxruntime
import torch


def test_export(path, net: torch.nn.Module, pictures):
    net.eval()
    session = onnxruntime.InferenceSession(path)
    worst = 0.0
    for picture in pictures:
        x = torch.from_numpy(picture)
        ours = net(x).detach().cpu().numpy()  #! MEM201 error
        theirs = session.run(None, {"x": picture})[0]
        worst = max(worst, np.abs(ours - theirs).max())
    return worst
