import torch
import torch.nn as nn

from seg.models import Segmenter


def main():
    model = Segmenter(21).cuda()
    optimizer = torch.optim.AdamW(model.head.parameters(), lr=1e-3)  #! MEM205
    crit = nn.CrossEntropyLoss(ignore_index=255)
    loader = torch.utils.data.DataLoader(torch.load("voc.pt"), 8, shuffle=True, num_workers=4)
    for epoch in range(20):
        for img, mask in loader:
            optimizer.zero_grad()
            loss = crit(model(img.cuda()), mask.cuda())
            loss.backward()
            optimizer.step()


main()
