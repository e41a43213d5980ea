"""One pass whose result nobody takes: to calibrate, to trace."""
import torch


def quantize(net, backend):
    example = torch.rand(1, 3, 224, 224)
    torch.backends.quantized.engine = backend
    net.eval()
    torch.ao.quantization.prepare(net, inplace=True)
    net(example)
    torch.ao.quantization.convert(net, inplace=True)


def draw(writer, model, size):
    model.eval()
    x = torch.zeros(1, 3, size, size)
    model(x)
    writer.add_graph(torch.jit.trace(model, x), [])


class MaskDecoder(torch.nn.Module):
    """Decoding in rounds; the caller decides about gradients."""

    def __init__(self, net, rounds):
        super().__init__()
        self.net = net
        self.rounds = rounds

    def forward(self, encoded, guess, masked):
        num_iter = self.rounds
        for _ in range(num_iter - 1):
            scores = self.net(encoded, guess)
            best = torch.topk(scores[0][masked].amax(-1), 1)[1]
            guess[0][masked[best]] = scores[0][masked[best]].argmax(-1)
        return guess
