import torch

from nets import Speaker


def chunks(wave, size):
    for i in range(0, wave.size(0) - size, size):
        yield wave[i:i + size], wave[i + 1:i + size + 1]


def main():
    net = Speaker()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    wave = torch.randn(20000, 4, 40)
    state = net.zero_state(4)
    for x, y in chunks(wave, 100):
        opt.zero_grad()
        state = tuple(s.detach() for s in state)
        pred, state = net(x, state)
        loss = (pred - y).abs().mean()
        loss.backward()
        opt.step()


main()
