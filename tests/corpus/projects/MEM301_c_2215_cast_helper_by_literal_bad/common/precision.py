import torch


def cast_model(model, precision):
    if precision == "fp16":
        model = model.half()  #= MEM301
    return model
