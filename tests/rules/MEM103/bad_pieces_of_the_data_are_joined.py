# the pieces of all that there is

import torch
from data import x_test
from nets import Decoder

decoder = Decoder().to("cuda").eval()
codes = []
with torch.no_grad():
    for chunk in x_test.split(256):
        codes.append(decoder(chunk.to("cuda")))  #! MEM103 warning
torch.save(torch.cat(codes).cpu(), "codes.pt")
