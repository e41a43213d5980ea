import torch
import torch.nn as nn
from torchvision.models import swin_t

from utils import backward_and_step


def main():
    model = swin_t(num_classes=37).cuda()
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    scaler = torch.amp.GradScaler("cuda")
    loader = torch.utils.data.DataLoader(torch.load("pets.pt"), 64, num_workers=8, shuffle=True)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            backward_and_step(loss, opt, scaler, model.parameters(), 1.0)


if __name__ == "__main__":
    main()
