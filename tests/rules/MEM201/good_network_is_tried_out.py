# nobody needs more of these results than that they are there: tests by hand, at the end of a file of networks

import soundfile
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, width, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())

    def forward(self, x):
        return self.layers(x)


def small(pretrained=False):
    return Net(8)


def large(pretrained=False):
    return Net(64)


def _test():
    for model in (small, large):
        net = model(pretrained=False)
        net.eval()
        x = torch.randn(14, 3, 224, 224)
        y = net(x)
        assert tuple(y.size())[0] == 14


def test():
    for name, make in {"a": small, "b": large}.items():
        net = make().eval()
        wave, _ = soundfile.read(f"{name}.wav")
        out = net(torch.from_numpy(wave).unsqueeze(0))[0]
        assert out.shape[-1] == 8


def check(factory):
    net = factory().eval()
    shape = (8, 3, 64, 64)
    out = net(torch.zeros(shape).to("cuda"))
    if out.shape[0] != shape[0]:
        raise ValueError("wrong shape")


if __name__ == "__main__":
    _test()
    test()
    check(small)
    net = large()
    net.eval()
    print(net(torch.rand(2, 3, 32, 32)).size())
