import io
from typing import Iterator

import numpy
import torch
from PIL import Image

torch.set_grad_enabled(False)
torch.backends.cudnn.benchmark = True


class ImageGenerator:
    def __init__(self, encoder, decoder, detokenizer, device="cuda"):
        self.encoder = encoder.to(device).eval()
        self.decoder = decoder.to(device).eval()
        self.detokenizer = detokenizer.to(device).eval()
        self.device = device

    def stream(self, tokens: torch.LongTensor, n_tokens: int = 256) -> Iterator[Image.Image]:
        state = self.encoder(tokens.to(self.device))
        image_tokens = torch.full((1, n_tokens + 1), 2 ** 14, device=self.device)
        for i in range(n_tokens):
            logits, state = self.decoder(state, image_tokens[:, i], i)
            image_tokens[:, i + 1] = torch.multinomial(torch.softmax(logits, -1), 1).squeeze(-1)
        pixels = self.detokenizer(image_tokens[:, 1:]).clamp(0, 255).byte()
        yield Image.fromarray(pixels[0].detach().cpu().numpy())
