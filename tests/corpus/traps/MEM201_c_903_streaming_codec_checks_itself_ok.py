"""A streaming encoder, compared with the one that sees the whole signal."""
import torch
from torch import nn


class Codec(nn.Module):
    def __init__(self, width=16, hop=4):
        super().__init__()
        self.hop = hop
        self.conv = nn.Conv1d(1, width, hop, stride=hop)

    def forward(self, x):
        return self.conv(x)

    def chunk(self, x):
        return self.forward(x)


def compare_streaming():
    codec = Codec()
    codec.eval()
    signal = torch.randn(1, 1, 64)
    parts = []
    for piece in signal.split(4, dim=-1):
        parts.append(codec.chunk(piece))
    assert torch.allclose(torch.cat(parts, -1), codec(signal), atol=1e-5)


if __name__ == "__main__":
    net = Codec()
    net.eval()
    whole = torch.randn(2, 1, 128)
    frames = [net.chunk(x) for x in whole.split(8, dim=-1)]
    torch.testing.assert_close(torch.cat(frames, dim=-1), net(whole))
    state = None
    for x in whole.split(4, dim=-1):
        out = net.chunk(x)
    compare_streaming()
