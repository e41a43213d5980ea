# a function imports torch if it can: its name says what it is

from toolbox.optional import try_import_torch

torch, nn = try_import_torch()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 8)

    def forward(self, x):
        return self.layer(x)


def embed(loader):
    net = Encoder().cuda()
    net.eval()
    found = []
    with torch.inference_mode():
        for x in loader:
            found.append(net(x.cuda()).cpu())
    return found
