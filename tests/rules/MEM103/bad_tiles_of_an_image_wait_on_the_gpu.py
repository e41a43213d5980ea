# tiles of one image: with a step, a range over height and width counts pieces, each with an output of its own

import torch


@torch.no_grad()
def predict_tiles(net, image, tile=512):
    net.cuda().eval()
    parts = []
    for top in range(0, image.shape[1], tile):
        for left in range(0, image.shape[2], tile):
            piece = image[:, top : top + tile, left : left + tile].unsqueeze(0).cuda()
            parts.append(net(piece))  #! MEM103 warning
    return torch.cat(parts).cpu().numpy()


@torch.no_grad()
def predict_windows(net, signal, width=16000):
    net.cuda().eval()
    parts = []
    for start in range(0, signal.size(-1), width):
        parts.append(net(signal[:, start : start + width].cuda()))  #! MEM103 warning
    return torch.cat(parts, dim=-1).cpu().numpy()
