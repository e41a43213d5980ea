import torch
from torch import nn

class Prosody(nn.Module):
    def __init__(self, path):
        super().__init__()
        bounds = torch.from_numpy(torch.load(path, map_location="cpu"))
        self.embedding = nn.Embedding.from_pretrained(bounds.unsqueeze(-1), freeze=True)
        self.max_n = self.embedding.weight.numel()

    def forward(self, codes):
        codes = codes.clamp(0, self.max_n - 1)
        return self.embedding(codes).squeeze(-1)

def main(loader, path):
    net = Prosody(path).cuda()
    net.eval()
    out = []
    for batch in loader:
        f0 = net(batch["f0"].cuda())
        out.append(f0.cpu().tolist())
    return out

if __name__ == "__main__":
    loader = torch.utils.data.DataLoader(read("x"), batch_size=4)
    main(loader, "bounds.pt")
