# A library runs the function to see ranges of activations, in the grad mode that it chooses.

import torch
from quantization import Simulation


def quantize(model, val_loader, example):
    def feed(model):
        for pictures, _ in val_loader:
            model.forward(pictures.to("cuda"))

    model.eval()
    simulation = Simulation(model, example)
    simulation.compute_encodings(feed)
    torch.save(simulation, "quantized.pt")
