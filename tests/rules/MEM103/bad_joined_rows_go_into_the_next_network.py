# what the first network gives is joined and read by the second, which runs on the GPU

import torch


def latent(clips, encoder, decoder):
    rows = []
    with torch.no_grad():
        for clip in clips:
            rows.append(encoder(clip.cuda()))  #! MEM103 advice
        rows = torch.stack(rows)
        return decoder(rows).cpu()
