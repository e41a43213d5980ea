# what was joined is begun again with every eighth batch, or when it is full

import torch
from towers import Tower

net = Tower().cuda().eval()


def windows(batches):
    window = None
    with torch.no_grad():
        for number, rows in enumerate(batches):
            found = net(rows.cuda())
            if number % 8 == 0:
                window = found
            else:
                window = torch.cat((window, found))
            if number % 8 == 7:
                torch.save(window.cpu(), f"{number}.pt")


def capped(batches):
    window = None
    with torch.no_grad():
        for rows in batches:
            found = net(rows.cuda())
            if window is None or len(window) > 512:
                window = found
            else:
                window = torch.cat((window, found))
