# whole networks come out of the file and are moved to the device afterwards

import torch

DEVICE = "cuda"
parts = torch.load("tts.pt")  #! MEM701 warning
acoustic, vocoder = parts["acoustic"].to(DEVICE), parts["vocoder"]
vocoder = vocoder.to(DEVICE).eval()
detector = torch.load("detector.pt").to(DEVICE)  #! MEM701 warning
detector.eval()
style = torch.load("style.pt")  #! MEM701 warning
style.to(DEVICE)
with torch.no_grad():
    print(style(torch.rand(1, 3, 64, 64, device=DEVICE)).mean())
