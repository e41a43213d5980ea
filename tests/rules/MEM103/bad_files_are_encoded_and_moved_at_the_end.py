# a method of a network encodes each file; the whole is moved to the host at the end

import os

import torch
from PIL import Image
from torchvision import transforms
from towers import load_tower

tower = load_tower().to("cuda")
to_tensor = transforms.ToTensor()
vectors = []
with torch.no_grad():
    for name in sorted(os.listdir("photos")):
        photo = to_tensor(Image.open(name)).unsqueeze(0).to("cuda")
        vectors.append(tower.encode_image(photo))  #! MEM103 warning
table = torch.cat(vectors)
torch.save(table.cpu(), "table.pt")
