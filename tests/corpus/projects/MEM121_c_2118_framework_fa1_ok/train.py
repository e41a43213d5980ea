from fastai.vision.all import *
from cbs import Track

path = untar_data(URLs.PETS)
dls = ImageDataLoaders.from_folder(path, valid_pct=0.2, item_tfms=Resize(224))
learn = vision_learner(dls, resnet34, metrics=accuracy, cbs=[Track()])
learn.fine_tune(3)
preds, y = learn.get_preds()
