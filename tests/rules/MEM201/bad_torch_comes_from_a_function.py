# torch comes from a function that imports it if it can, and nothing switches gradients off

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
    for x in loader:
        out = net(x.cuda())  #! MEM201
        found.append(out.detach().cpu())
    return found
