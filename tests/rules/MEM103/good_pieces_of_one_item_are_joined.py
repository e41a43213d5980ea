# the list lives for one item, whose pieces go through the network one after the other

import torch
from data import latents
from nets import Decoder

decoder = Decoder().to("cuda").eval()
for k, z in enumerate(latents()):
    parts = []
    with torch.no_grad():
        for chunk in z.split(16):
            parts.append(decoder(chunk.to("cuda")))
    torch.save(torch.cat(parts).cpu(), f"{k}.pt")
