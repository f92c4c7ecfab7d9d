/* What the processor offers: a module of one function, which needs nothing but C. */
#include <Python.h>

static PyObject *level(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return PyLong_FromLong(3);
    return PyLong_FromLong(2);
#else
    return PyLong_FromLong(0);
#endif
}

static PyMethodDef functions[] = {
    {"level", level, METH_NOARGS, "Return the level of x86-64; 0 for another kind of processor."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef processor = {
    PyModuleDef_HEAD_INIT, "processor", "What the processor offers.", 0, functions, slots,
    NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_processor(void) {
    return PyModuleDef_Init(&processor);
}
