# what is downloaded is a file, although the function is called after a network; the model is made below it

import numpy as np
import tensorflow as tf
from networks import create_unet_model, get_pretrained_network


def ensemble(scan, which):
    batch = np.zeros((1, *scan.shape, 1))
    batch[0, :, :, :, 0] = scan
    ids = [which]
    if which == "all":
        ids = [0, 1, 2, 3]
    for i in range(len(ids)):
        weights_file = get_pretrained_network("pvs" + str(ids[i]))
        model = create_unet_model(number=1)  #! MTF108
        model.load_weights(weights_file)
        if i == 0:
            found = model.predict(batch, verbose=1)
        else:
            found += model.predict(batch, verbose=1)
    return found / len(ids)
