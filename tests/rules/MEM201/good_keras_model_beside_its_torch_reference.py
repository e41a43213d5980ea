# Models of Keras are called with the argument training, or what they give goes to a function of Keras

import keras
import numpy as np
import torch
from torchvision.models.segmentation import deeplabv3_resnet50

from converted.models import Detector, Segmenter

for name in ("coco", "voc"):
    keras_model = Segmenter.from_weights(name)
    reference = deeplabv3_resnet50().eval()
    images = np.random.rand(1, 224, 224, 3).astype(np.float32)
    with torch.no_grad():
        expected = reference(torch.tensor(images).permute(0, 3, 1, 2))["out"].numpy()
    found = keras_model(images, training=False)
    print(np.abs(keras.ops.convert_to_numpy(found) - expected).max())

    model = Detector(variant=name)
    inputs = keras.ops.convert_to_tensor(images)
    boxes = model(inputs)
    print(keras.ops.convert_to_numpy(boxes["boxes"]).shape)
    print(np.asarray(keras.ops.convert_to_numpy(model({"pixels": inputs})["logits"])).shape)
