"""R files, written by rdata's own writer from the parts R gives its objects."""

import numpy as np
import pandas
import rdata
from rdata.conversion.to_r import ConverterFromPythonToR
from rdata.unparser import unparse_file


class Attributed:
    """A value with R attributes: dim, dimnames, class."""

    def __init__(self, value, **attributes):
        self.value, self.attributes = value, attributes


def built(data, converter):
    item = converter.convert_to_r_object(data.value)
    item.attributes = converter.convert_to_r_attributes(data.attributes)
    item.info.attributes = True
    return item


def matrix(values, rows, columns):
    values = np.asarray(values)
    flat = values.ravel(order="F")
    names = [None if part is None else np.array(part) for part in (rows, columns)]
    return Attributed(flat, dim=np.array(values.shape, dtype=np.int32), dimnames=names)


def write(path, **objects):
    """Write an .rda with these objects, or an .rds with the one."""
    rda = path.suffix != ".rds"
    constructors = {
        Attributed: built,
        pandas.DataFrame: rdata.conversion.to_r.dataframe_constructor,
    }
    constructors |= rdata.conversion.to_r.DEFAULT_CLASS_MAP
    data = objects if rda else next(iter(objects.values()))
    converter = ConverterFromPythonToR(constructor_dict=constructors)
    r_data = converter.convert_to_r_data(data, file_type="rda" if rda else "rds")
    unparse_file(path, r_data, file_type="rda" if rda else "rds")
    return path
