"""Whoever calls a component of torch does so without gradients, whatever it predicts."""

import torch


class Component:
    def predict(self, texts, **options):
        raise NotImplementedError

    def __call__(self, texts, **options):
        return self.predict(texts, **options)


class TorchComponent(Component):
    @torch.no_grad()
    def __call__(self, texts, **options):
        return super().__call__(texts, **{"batch_size": 8, **options})
