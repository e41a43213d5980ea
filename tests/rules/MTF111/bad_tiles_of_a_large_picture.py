# one prediction for each tile of a picture, or for each pair of crops

import keras

model = keras.models.load_model("segment.keras")


def mask(tiles):
    return [model.predict(tile) for tile in tiles]  #! MTF111 warning


def compare(pairs, network=model):
    for left_crop, right_crop in pairs:
        print(network.predict([left_crop, right_crop]))  #! MTF111 warning


def colour(temperature_patches, rain_patches):
    for i in range(len(temperature_patches)):
        inputs = {"temperature": temperature_patches[i], "rain": rain_patches[i]}
        yield model.predict(inputs)  #! MTF111 warning
