# The network of torch beside a model of Keras records

import keras
import numpy as np
import torch

from converted.models import Segmenter

keras_model = Segmenter.from_weights("coco")
torch_model = torch.jit.load("segmenter.pt").eval()
model = torch.hub.load("some/where", "segmenter").eval()
loader = torch.utils.data.DataLoader(torch.load("images.pt"), batch_size=8)
for images in loader:
    found = keras.ops.convert_to_numpy(keras_model(images.numpy(), training=False))
    expected = model(images)["out"]  #! MEM201 error
    print(np.abs(found - expected.detach().numpy()).max())
