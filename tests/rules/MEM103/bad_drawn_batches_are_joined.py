# each turn joins the batch that it has drawn

import torch
from gan import Generator

painter = Generator().cuda().eval()
out = torch.empty(0, device="cuda")
with torch.no_grad():
    for _ in range(200):
        out = torch.cat([out, painter(torch.randn(64, 100, device="cuda"))])  #! MEM103 warning
torch.save(out, "samples.pt")
