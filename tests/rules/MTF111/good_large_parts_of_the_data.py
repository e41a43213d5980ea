# all tiles at once; a data set too large for one array goes through in a few parts

import keras
import numpy as np

model = keras.models.load_model("segment.keras")


def mask(tiles):
    return model.predict(np.stack(tiles), batch_size=32)


def in_parts(pixels):
    return np.concatenate([model.predict(part, batch_size=4096) for part in np.array_split(pixels, 8)])


def in_chunks(pixels):
    return [model.predict(chunk) for chunk in np.array_split(pixels, 8)]
